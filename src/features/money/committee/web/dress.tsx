import { Building2, DoorOpen, Users } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { buildings, flats, people } from '../committee.ts'

dress(buildings, {
  icon: Building2,
  columns: {
    name: { strong: true, phone: 'title' },
    address: { phone: 'line' },
    flatCount: { phone: 'state' },
  },
})
dress(flats, {
  icon: DoorOpen,
  columns: {
    number: { strong: true, phone: 'title' },
    buildingId: { phone: 'line' },
    payer: { phone: 'line' },
  },
})
dress(people, {
  icon: Users,
  columns: {
    customerId: { strong: true, phone: 'title' },
    flatId: { phone: 'line' },
    role: { phone: 'state' },
  },
})
