import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { categories } from '../categories.ts'
import { TreeChoice } from './TreeChoice.tsx'
import './dressSorts.tsx'

/** The tree that items are sorted by. */
export const Screen = () => <ListScreen resource={categories} actions={<TreeChoice now={categories} />} />
