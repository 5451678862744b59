// CompileOptions: how one program is compiled and run. Each has an environment twin (docs/options.md).
#pragma once

#include <string>
#include <vector>

namespace weft {

struct CompileOptions {
  int opt_level = 2;                              // 0: no rewrites or fusion, quick code generation
  std::vector<std::string> disabled_passes = {};  // by name
  int num_threads = 0;                            // 0: the process default
  bool fp_contract = false;                       // a*x + b of the user's may become one fma
  bool fast_math = false;
  bool reassociate_linalg = true;
  bool verify_each = false;   // verify the graph after every pass
  std::string dump_dir = {};  // the text of the stages is written there
  std::string cache_dir = {};
  std::string target = {};  // "", "avx512", "avx2", "sse2": default is what the CPU has
  bool operator==(const CompileOptions&) const = default;
};

enum class IrStage { traced, optimized, loops, llvm, assembly };

}  // namespace weft
