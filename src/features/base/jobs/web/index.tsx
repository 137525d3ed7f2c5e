/** The door for other features: long work as a line that can be left and found again. */
export { JobProgress } from './JobProgress.tsx'
export { JobsCard } from './JobsCard.tsx'
