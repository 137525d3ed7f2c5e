// The hub's reports belong to other features; their rights must be known wherever their screens are.
import '#features/sales/documents/rules.ts'
