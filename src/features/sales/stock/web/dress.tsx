import { Warehouse } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { stockPlaces } from '../places.ts'

dress(stockPlaces, {
  icon: Warehouse,
  columns: { name: { strong: true, phone: 'title' }, kind: { phone: 'line' }, itemCount: { phone: 'state' } },
})
