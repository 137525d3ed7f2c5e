import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { classPlaces } from '../timetable.ts'
import './dress.tsx'

/** Where classes are held. */
export const Screen = () => <ListScreen resource={classPlaces} archive />
