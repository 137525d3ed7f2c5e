// The rights these reports ask for are those of the facts they show; they must be known wherever the screens
// are.
import '#features/registers/items/rules.ts'
import '#features/sales/documents/rules.ts'
