import { Package } from 'lucide-react'
import { dress } from '../../../kit/web/screens/dress.ts'
import { items } from '../items.ts'

dress(items, { icon: Package })
