export { PassList, PassLine } from './PassList.tsx'
export { SellDialog } from './SellDialog.tsx'
