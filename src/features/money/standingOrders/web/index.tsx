export { OrderStatePill } from './words.tsx'
