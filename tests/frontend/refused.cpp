// What must not compile, and the words that the compiler must say: each test of refused.cmake chooses one
// case.
#include <weft/weft.h>

using namespace weft;

struct Base {
  Array a;
};
struct Derived : Base {
  Array b;
};

int main() {
#if CASE == 0
  jit([](Array x, Static<double> k) { return x * k; })(1.0, 2.0);
#elif CASE == 1
  jit([](Array x, double k) { return x * k; })(1.0, 2.0);
#elif CASE == 2
  Array a = 1, b = 2;
  (void)(a && b);
#elif CASE == 3
  int n = 0;
  jit([n](Array x) mutable {
    ++n;
    return x;
  })(1.0);
#elif CASE == 4
  jit([](Array& x) { return x; })(1.0);
#elif CASE == 5
  jit([](Array) {})(1.0);
#elif CASE == 6
  jit([](Derived d) { return d.b; })(Derived{});
#elif CASE == 7
  array({1, 2.5});
#elif CASE == 8
  sum(ones({3}), {0, 1, 2, 3, 4, 5, 6, 7, 8});
#elif CASE == 9
  ones({3})(true);
#elif CASE == 10
  vmap([](Array x, float k) { return x * k; })(1.0, 2.0f);
#endif
}
