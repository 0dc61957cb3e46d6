// The values sorted together for each element: its keys, its index where the comparator may treat
// two elements as equal, and operands that cannot be recomputed from these.
//
// JAX's order of reals has only one zero. Where only the reals are sorted, their signs are a
// separate list: first as many of a low number as there are keys before zero, then a zero's index
// and sign, then a high number. So a zero's sign has the same position as the zero once the list is
// sorted, and both lists are sorted by minima and maxima. Without a negative zero, which are few,
// every number of the list is even, in whatever order: then it need not be sorted.
#pragma once

#include "compiler/tensor/sorting/comparator.hpp"
#include "compiler/tensor/tables/rows.hpp"

namespace tandem::compiler {

class SortFields {
 public:
  SortFields(Lowering& lowering, mlir::Operation* sort, Comparator& comparator, unsigned dimension,
             std::int64_t elements);

  [[nodiscard]] llvm::ArrayRef<mlir::Type> types() const { return types_; }
  // The operands from which fields are computed.
  [[nodiscard]] Values sources(const Values& operands) const;
  // Fills the table from sources.
  void fill(mlir::OpBuilder& builder, mlir::Location loc, Table& table, const TableShape& shape,
            mlir::ValueRange sources);
  // The signs of zeros are a list of their own, the last field.
  [[nodiscard]] bool has_signs() const { return signs_.has_value(); }
  // Whether that list must be sorted, a scalar, for the sources that are sorted.
  mlir::Value has_negative_zero(mlir::OpBuilder& builder, mlir::Location loc,
                                mlir::ValueRange sources) const;
  // The element that comes first goes to the first list. Fields except the signs.
  void exchange(mlir::OpBuilder& builder, mlir::Location loc, llvm::SmallVector<mlir::Value>& first,
                llvm::SmallVector<mlir::Value>& second);
  // The first of an element and another one, or where `second` the second.
  Values kept(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange own,
              mlir::ValueRange other, mlir::Value second);

  // The same for signs alone.
  static void exchange_signs(mlir::OpBuilder& builder, mlir::Location loc,
                             llvm::SmallVector<mlir::Value>& first,
                             llvm::SmallVector<mlir::Value>& second);
  static Values kept_signs(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange own,
                           mlir::ValueRange other, mlir::Value second);

  // The results that are read, from the fields of one element.
  [[nodiscard]] llvm::SmallVector<mlir::Type> result_types() const;
  llvm::SmallVector<mlir::Value> results_of(mlir::OpBuilder& builder, mlir::Location loc,
                                            mlir::ValueRange fields) const;
  // The index of the sort's result among these, or -1.
  [[nodiscard]] int number_of(unsigned result) const;

  // The lists need only minima and maxima.
  [[nodiscard]] bool goes_by_extremes() const { return simple_ && !index_; }

 private:
  struct Result {
    unsigned operand = 0;
    unsigned field = 0;
    bool is_order_of_bits = false;  // the field is; see SortKey
    bool has_signs = false;         // of zeros, in the field of signs
    mlir::Type type;
  };

  void add_result(mlir::Operation* sort, unsigned operand, unsigned dimension);
  // Whether a key determines everything that is read except the sign of zeros.
  [[nodiscard]] bool is_key_and_signs(mlir::Operation* sort) const;
  mlir::Value sign_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value element,
                      mlir::Value key, mlir::Value index) const;
  static mlir::Value with_sign(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value key,
                               mlir::Value sign);
  mlir::Value is_element(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value index) const;
  // Whether b comes before a.
  mlir::Value is_before(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange b,
                        mlir::ValueRange a);
  mlir::Value last_of_all(mlir::OpBuilder& builder, mlir::Location loc, std::size_t field) const;

  Comparator& comparator_;
  std::optional<SimpleOrder> simple_;
  std::int64_t elements_;
  bool padded_ = true;                                        // the table contains padding
  llvm::SmallVector<mlir::Type> types_;                       // keys first
  std::optional<unsigned> index_;                             // the field
  std::optional<unsigned> signs_;                             // the field of them
  llvm::SmallVector<unsigned> taken_;                         // operands
  llvm::SmallVector<std::pair<unsigned, unsigned>> carried_;  // operand, field
  llvm::SmallVector<Result> results_;
};

}  // namespace tandem::compiler
