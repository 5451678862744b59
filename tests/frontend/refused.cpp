// What must not compile, and the words that the compiler must say: each test of CMakeLists.txt defines one
// case.
#include <weft/weft.h>

using namespace weft;

struct Base {
  Array a;
};
struct Derived : Base {
  Array b;
};
struct Four {
  Array a, b, c, d;
};
struct Many {
  Four f1, f2, f3, f4, f5, f6, f7, f8;
  Array a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22,
      a23, a24, a25;
};
struct WithPointer {
  Array a;
  const float* memory = nullptr;
};
class Private {
 public:
  Array get() const { return a_; }

 private:
  Array a_;
};

Array overloaded(Array x);
Array overloaded(Array x, Array y);

int main() {
  jit([](Array x, Static<double> k) { return x * k; })(1.0, 2.0);
  jit([](auto x) { return x; })(1.0);
  array({{1, 2}, {3, 4}});
  array<double>({1, 2.5});
  array<double>({{1, 2.5}, {3, 4}});
  [[maybe_unused]] Array a = 1, b = 2;
  [[maybe_unused]] int n = 0;
#if defined(FLOAT_PARAMETER)
  jit([](Array x, double k) { return x * k; })(1.0, 2.0);
#elif defined(FLOAT_REFERENCE_PARAMETER)
  jit([](Array x, const float& k) { return x * k; })(1.0, 2.0f);
#elif defined(FLOAT_PARAMETER_OF_VMAP)
  vmap([](Array x, float k) { return x * k; })(1.0, 2.0f);
#elif defined(AND_OF_ARRAYS)
  (void)(a && b);
#elif defined(AND_OF_ARRAY_AND_NUMBER)
  (void)(n && a);
#elif defined(OR_OF_ARRAYS)
  (void)(a || b);
#elif defined(MUTABLE_LAMBDA)
  jit([n](Array x) mutable { return x + ++n; })(1.0);
#elif defined(MUTABLE_LAMBDA_OF_VMAP)
  vmap([n](Array x) mutable { return x + ++n; })(1.0);
#elif defined(MUTABLE_GENERIC_LAMBDA)
  jit([n](auto x) mutable { return x + ++n; })(1.0);
#elif defined(REFERENCE_PARAMETER)
  jit([](Array& x) { return x; })(1.0);
#elif defined(GENERIC_REFERENCE_PARAMETER)
  vmap([](auto& x) { return x; })(1.0);
#elif defined(TOO_MANY_ARGUMENTS_OF_GENERIC)
  jit([](auto x) { return x; }).lower(1.0, 2.0);
#elif defined(VOID_RESULT)
  jit([](Array) {})(1.0);
#elif defined(GENERIC_VOID_RESULT)
  vmap([](auto) {})(1.0);
#elif defined(REFERENCE_RESULT)
  jit([&a](Array) -> Array& { return a; })(1.0);
#elif defined(BASE_CLASS)
  jit([](Derived d) { return d.b; })(Derived{});
#elif defined(TOO_MANY_FIELDS)
  jit([](Many m) { return m.a1; })(Many{});
#elif defined(POINTER_FIELD)
  jit([](WithPointer w) { return w.a; })(WithPointer{});
#elif defined(PRIVATE_CLASS)
  jit([](Private p) { return p.get(); })(Private{});
#elif defined(MIXED_ELEMENTS)
  array({1, 2.5});
#elif defined(MIXED_ROWS)
  array({{1, 2}, {3, 2.5}});
#elif defined(OVERLOAD_SET)
  jit(overloaded)(1.0);
#elif defined(TOO_MANY_AXES)
  sum(ones({3}), {0, 1, 2, 3, 4, 5, 6, 7, 8});
#elif defined(BOOL_INDEX)
  ones({3})(true);
#elif defined(BODY_OF_ONE_VALUE)
  reduce(a, b, [](Array x) { return x; });
#endif
}
