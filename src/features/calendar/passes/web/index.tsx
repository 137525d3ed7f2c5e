export { PassList, passText } from './PassList.tsx'
export { SellDialog } from './SellDialog.tsx'
