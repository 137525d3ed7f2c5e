export { choose, TradeChoice } from './Trades.tsx'
