import { Ticket } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { passKinds } from '../passes.ts'

dress(passKinds, {
  icon: Ticket,
  columns: {
    name: { strong: true, phone: 'title' },
    visits: { phone: 'line' },
    days: { phone: 'line' },
    priceAgorot: { phone: 'amount' },
  },
})
