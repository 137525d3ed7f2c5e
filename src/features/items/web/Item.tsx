import { usePlace } from '../../../kit/web/place.ts'
import { CardScreen } from '../../../kit/web/screens/CardScreen.tsx'
import { FormScreen } from '../../../kit/web/screens/FormScreen.tsx'
import { items } from '../items.ts'
import './dress.tsx'

/** One item: its facts, changed in a sheet beside them; or a new one. */
export function Screen() {
  const id = usePlace().params.id ?? ''
  return id === 'new' ? <FormScreen resource={items} /> : <CardScreen key={id} resource={items} id={id} />
}
