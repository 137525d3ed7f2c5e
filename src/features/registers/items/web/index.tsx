/** The door for other features: a change of many prices, and the kinds of income to choose from. */
export { useIncomeKinds } from './inputs.tsx'
export { LastChanges, takeBack } from './LastChanges.tsx'
export { PriceChange, type WantedChange } from './PriceChange.tsx'
