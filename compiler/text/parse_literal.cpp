// dense<…>: nothing, one element for all, nested lists, or the bytes in hexadecimal. The type follows the
// payload, so the payload is skipped first and read when the type is known.
#include "compiler/text/parse_literal.h"

#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "compiler/text/text.h"

namespace weft::text {
namespace {

class PayloadReader {
 public:
  PayloadReader(Reader& reader, const ir::Type& type)
      : reader_(reader), type_(type), size_(size_of(type.dtype)), start_(reader.lexer.peek().offset) {}

  ir::Literal read() {
    if (reader_.at(">")) return read_nothing();
    if (reader_.at(TokenKind::string)) return read_bytes();
    if (reader_.at("[")) {
      if (type_.shape.rank() == 0) reader_.fail_here("one element for a scalar");
      read_list(0);
      return {type_, runtime::Buffer::copy_of(bytes_.data(), bytes_.size()), false};
    }
    read_element();
    return ir::Literal::splat(type_.dtype, type_.shape, bytes_.data());
  }

 private:
  ir::Literal read_nothing() const {
    if (type_.size() != 0)
      reader_.fail(start_, fmt::format("no elements given, {} has {}", print_type(type_), type_.size()));
    return {type_, runtime::Buffer::allocate(0), false};
  }

  // As deep as the rank, at most kMaxRank.
  void read_list(int dim) {
    if (dim == type_.shape.rank()) return read_element();
    const std::size_t open = reader_.lexer.peek().offset;
    reader_.expect("[");
    std::int64_t count = 0;
    reader_.list_until("]", [&] {
      if (count == type_.shape[dim])
        reader_.fail_here(fmt::format("{} elements along dimension {}", count, dim));
      read_list(dim + 1);
      ++count;
    });
    if (count != type_.shape[dim])
      reader_.fail(open, fmt::format("{} elements along dimension {} of {}", count, dim, print_type(type_)));
    if (static_cast<std::int64_t>(bytes_.size()) > kMaxLiteralBytes)
      reader_.fail(start_, "the literal has more than 2^33 bytes");
  }

  void read_element() {
    if (!is_complex(type_.dtype)) return read_number(type_.dtype);
    const DType part = type_.dtype == DType::c64 ? DType::f32 : DType::f64;
    if (!reader_.at("(")) reader_.fail_here("a complex number like (1.0, 2.0)");
    reader_.expect("(");
    read_number(part);
    reader_.expect(",");
    read_number(part);
    reader_.expect(")");
  }

  void read_number(DType dtype) {
    if (dtype == DType::b1) return read_boolean();
    const std::size_t start = reader_.lexer.peek().offset;
    const bool is_negative = reader_.accept("-");
    const std::size_t end = bytes_.size();
    bytes_.resize(end + size_of(dtype));
    if (is_floating(dtype))
      read_float(start, is_negative, dtype, bytes_.data() + end);
    else
      read_integer(start, is_negative, dtype, bytes_.data() + end);
  }

  void read_boolean() {
    const bool is_true =
        reader_.at_word("true") || (reader_.at(TokenKind::integer) && reader_.lexer.peek().text == "1");
    const bool is_false =
        reader_.at_word("false") || (reader_.at(TokenKind::integer) && reader_.lexer.peek().text == "0");
    if (!is_true && !is_false) reader_.fail_here("true or false");
    reader_.lexer.take();
    bytes_.push_back(std::byte{is_true});
  }

  // Bits of an integer of `width` bits; iN has no sign in the text, so 255 is an i8.
  std::uint64_t bits(const Token& token, std::size_t start, int width) const {
    const bool is_hex = token.text.starts_with("0x");
    std::uint64_t value = 0;
    const auto result = std::from_chars(token.text.data() + (is_hex ? 2 : 0),
                                        token.text.data() + token.text.size(), value, is_hex ? 16 : 10);
    if (result.ec != std::errc() || (width < 64 && (value >> width) != 0))
      reader_.fail(start, fmt::format("{} does not fit {} bits", token.text.substr(0, 40), width));
    return value;
  }

  void read_integer(std::size_t start, bool is_negative, DType dtype, std::byte* out) {
    if (!reader_.at(TokenKind::integer)) reader_.fail_here("an integer");
    const Token token = reader_.lexer.take();
    const int width = 8 * static_cast<int>(size_of(dtype));
    std::uint64_t value = bits(token, start, width);
    if (is_negative && (is_unsigned(dtype) || value > std::uint64_t{1} << (width - 1)))
      reader_.fail(start, fmt::format("-{} is out of range for {}", token.text, stablehlo_name(dtype)));
    if (is_negative) value = ~value + 1;
    std::memcpy(out, &value, size_of(dtype));
  }

  void read_float(std::size_t start, bool is_negative, DType dtype, std::byte* out) {
    if (reader_.at(TokenKind::integer)) {
      const Token token = reader_.lexer.take();
      if (!token.text.starts_with("0x") || is_negative)
        reader_.fail(start, fmt::format("a {} is written with a point (1.0) or as its bits (0x3F)",
                                        stablehlo_name(dtype)));
      const std::uint64_t value = bits(token, start, 8 * static_cast<int>(size_of(dtype)));
      std::memcpy(out, &value, size_of(dtype));
      return;
    }
    if (!reader_.at(TokenKind::real)) reader_.fail_here("a number");
    const Token token = reader_.lexer.take();
    if (!round_decimal(token.text, is_negative, dtype, out))
      reader_.fail(start, fmt::format("the number is too large for {}", stablehlo_name(dtype)));
  }

  ir::Literal read_bytes() {
    const Token token = reader_.lexer.take();
    const std::string_view text = token.text.substr(1, token.text.size() - 2);
    if (!text.starts_with("0x") || text.size() % 2 != 0)
      reader_.fail(token.offset, "raw elements are a string of 0x and pairs of hexadecimal digits");
    const std::string_view digits = text.substr(2);
    const auto count = static_cast<std::int64_t>(digits.size() / 2);
    const bool is_splat = count == static_cast<std::int64_t>(size_);
    if (!is_splat && count != type_.nbytes())
      reader_.fail(token.offset,
                   fmt::format("{} bytes given, {} has {}", count, print_type(type_), type_.nbytes()));
    if (!is_splat && count > kMaxLiteralBytes)
      reader_.fail(token.offset, "the literal has more than 2^33 bytes");
    runtime::Buffer buffer = runtime::Buffer::allocate(static_cast<std::size_t>(count));
    decode(token.offset + 3, digits, buffer.data());
    return {type_, std::move(buffer), is_splat};
  }

  void decode(std::size_t offset, std::string_view digits, std::byte* out) const {
    static constexpr auto kValues = [] {
      std::array<std::int8_t, 256> values{};
      for (auto& value : values) value = -1;
      for (int i = 0; i < 10; ++i) values[static_cast<std::size_t>('0' + i)] = static_cast<std::int8_t>(i);
      for (int i = 0; i < 6; ++i)
        values[static_cast<std::size_t>('a' + i)] = values[static_cast<std::size_t>('A' + i)] =
            static_cast<std::int8_t>(10 + i);
      return values;
    }();
    const auto value_at = [&](std::size_t i) {
      const int value = kValues[static_cast<unsigned char>(digits[i])];
      if (value < 0) reader_.fail(offset + i, "no hexadecimal digit");
      return value;
    };
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      const int byte = value_at(i) * 16 + value_at(i + 1);
      if (type_.dtype == DType::b1 && byte > 1) reader_.fail(offset + i, "an i1 is 00 or 01");
      out[i / 2] = static_cast<std::byte>(byte);
    }
  }

  Reader& reader_;
  const ir::Type& type_;
  std::size_t size_;
  std::size_t start_;
  std::vector<std::byte> bytes_;
};

// Stops at the first token that no payload has, so that a missing '>' is reported where it is missing.
void skip_payload(Reader& reader) {
  while (!reader.at(">")) {
    const Token& token = reader.lexer.peek();
    const bool belongs = token.kind == TokenKind::integer || token.kind == TokenKind::real ||
                         token.kind == TokenKind::string || token.text == "true" || token.text == "false" ||
                         (token.kind == TokenKind::punctuation &&
                          std::string_view("[](),-").find(token.text) != std::string_view::npos);
    if (!belongs || token.kind == TokenKind::end) reader.fail_here("an element or '>' of dense<…>");
    reader.lexer.take();
  }
}

}  // namespace

ir::Literal read_literal(Reader& reader) {
  reader.expect_word("dense");
  reader.expect("<");
  const std::size_t payload = reader.lexer.offset();
  skip_payload(reader);
  reader.expect(">");
  reader.expect(":");
  const ir::Type type = reader.tensor_type();
  const std::size_t end = reader.lexer.offset();
  reader.lexer.seek(payload);
  ir::Literal literal = PayloadReader(reader, type).read();
  reader.expect(">");
  reader.lexer.seek(end);
  return literal;
}

}  // namespace weft::text
