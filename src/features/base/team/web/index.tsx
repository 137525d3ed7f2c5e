export { LeavesOf } from './LeavesOf.tsx'
