/**
 * The door for other features: a change of many prices, the kinds of income to choose from, and trees of
 * categories.
 */
export { CategoryCard } from './CategoryCard.tsx'
export { PathCell } from './PathCell.tsx'
export { TreeChoice } from './TreeChoice.tsx'
export { useIncomeKinds } from './inputs.tsx'
export { LastChanges, takeBack } from './LastChanges.tsx'
export { PriceChange, type WantedChange } from './PriceChange.tsx'
