// One LLJIT with JITLink; every object has a resource tracker of its own.
#include "compiler/link/session.h"

#include <atomic>
#include <mutex>

#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#if LLVM_VERSION_MAJOR >= 21
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#endif
#include <llvm/TargetParser/Host.h>

#include <weft/error.h>

#include "compiler/link/guard.h"
#include "compiler/link/symbols.h"

namespace weft::link {
namespace {

namespace orc = llvm::orc;

struct Session {
  std::unique_ptr<orc::LLJIT> jit;
  std::atomic<bool> is_broken = false;  // LLVM gave up inside it: it may not be touched any more
  ~Session() {
    if (is_broken) abandon(jit.release());
  }
};

// ORC reports the reasons of a failed link apart from the failure itself, on the thread that links.
thread_local std::string reported;

[[noreturn]] void fail(const std::string& doing, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  if (!reported.empty()) text += "; " + reported;
  throw CompileError("link: " + doing + ": " + text);
}

template <class T>
T value_or_throw(const std::string& doing, llvm::Expected<T> expected) {
  if (!expected) fail(doing, expected.takeError());
  return std::move(*expected);
}

void define_symbols(orc::LLJIT& jit) {
  orc::SymbolMap map;
  for (const Symbol& symbol : known_symbols())
    map[jit.mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                             llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (auto error = jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(map))))
    fail("define symbols", std::move(error));
}

std::shared_ptr<Session> new_session() {
  // In place: a fatal error must reach the thread that asked.
  auto control = value_or_throw("start", orc::SelfExecutorProcessControl::Create(
                                             nullptr, std::make_unique<orc::InPlaceTaskDispatcher>()));
  orc::LLJITBuilder builder;
  builder.setExecutorProcessControl(std::move(control));
  builder.setJITTargetMachineBuilder(
      orc::JITTargetMachineBuilder(llvm::Triple(llvm::sys::getProcessTriple())));
  builder.setLinkProcessSymbolsByDefault(false);
  builder.setPlatformSetUp(orc::setUpInactivePlatform);
#if LLVM_VERSION_MAJOR >= 21
  builder.setObjectLinkingLayerCreator(
      [](orc::ExecutionSession& session) { return std::make_unique<orc::ObjectLinkingLayer>(session); });
#else
  builder.setObjectLinkingLayerCreator([](orc::ExecutionSession& session, const llvm::Triple&) {
    return std::make_unique<orc::ObjectLinkingLayer>(session);
  });
#endif
  auto session = std::make_shared<Session>();
  session->jit = value_or_throw("start", builder.create());
  session->jit->getExecutionSession().setErrorReporter([](llvm::Error error) {
    if (!reported.empty()) reported += "; ";
    reported += llvm::toString(std::move(error));
  });
  define_symbols(*session->jit);
  return session;
}

struct CurrentSession {
  std::mutex mutex;
  std::shared_ptr<Session> session;
};

// Never destroyed: executables may outlive the static objects of this library.
CurrentSession& current_session() {
  static auto& current = *new CurrentSession;
  return current;
}

std::shared_ptr<Session> get_session() {
  auto& current = current_session();
  const std::lock_guard lock(current.mutex);
  if (!current.session) current.session = new_session();
  return current.session;
}

// Set when the process ends: memory goes with it, and LLVM may be half gone.
std::atomic<bool> is_exiting = false;
struct NoteExit {
  ~NoteExit() { is_exiting = true; }
} note_exit;

struct Code {
  std::shared_ptr<Session> session;
  orc::ResourceTrackerSP tracker;

  Code(std::shared_ptr<Session> s, orc::ResourceTrackerSP t) : session(std::move(s)), tracker(std::move(t)) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() {
    if (is_exiting || session->is_broken) {
      keep();
      return;
    }
    const FatalErrorGuard guard;
    try {
      llvm::consumeError(tracker->remove());
    } catch (const FatalError&) {
      session->is_broken = true;
      keep();
    }
  }

 private:
  void keep() {
    abandon(new orc::ResourceTrackerSP(tracker));
    abandon(new std::shared_ptr<Session>(session));
  }
};

}  // namespace

LoadedCode load_object(std::unique_ptr<llvm::MemoryBuffer> object, const std::string& entry) {
  const FatalErrorGuard guard;
  reported.clear();
  const auto session = get_session();
  orc::LLJIT& jit = *session->jit;
  // Outside the try block: after a fatal error it must see that the session is broken.
  auto code = std::make_shared<Code>(session, jit.getMainJITDylib().createResourceTracker());
  try {
    if (auto error = jit.addObjectFile(code->tracker, std::move(object)))
      fail("add " + entry, std::move(error));
    const orc::ExecutorAddr address = value_or_throw("look up " + entry, jit.lookup(entry));
    return {address.toPtr<void*>(), std::move(code)};
  } catch (const FatalError&) {
    session->is_broken = true;
    abandon_session();
    throw;
  }
}

void abandon_session() {
  auto& current = current_session();
  const std::lock_guard lock(current.mutex);
  current.session.reset();
}

}  // namespace weft::link
