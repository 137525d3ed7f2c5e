export { Grid } from './Grid.tsx'
export { ClassList } from './Lists.tsx'
export { ClassDialog } from './ClassDialog.tsx'
export { OutsideDialog } from './OutsideDialog.tsx'
export { BlockDialog, type Away } from './BlockDialog.tsx'
export {
  clockOf,
  daysOf,
  minutesOf,
  monthName,
  rangeText,
  stepped,
  weekdayName,
  type CalendarView,
} from './days.ts'
export { classPath, lineOf, refreshClasses } from './shared.ts'
