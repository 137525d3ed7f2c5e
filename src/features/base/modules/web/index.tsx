export { choose, TradeChoice } from './Areas.tsx'
