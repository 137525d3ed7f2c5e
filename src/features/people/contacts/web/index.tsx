/** The door for other features: the line of everything with somebody. */
export { Timeline } from './Timeline.tsx'
