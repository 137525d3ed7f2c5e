/** The door for other features: the tasks of a thing. */
export { TaskList } from './Tasks.tsx'
