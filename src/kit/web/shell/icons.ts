import {
  BookOpen,
  Building2,
  Calendar,
  ChartColumn,
  CircleHelp,
  FileText,
  House,
  Landmark,
  Package,
  ReceiptText,
  Settings,
  ShieldCheck,
  Users,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import type { MenuGroup } from '#kit/describe/screen.ts'

/** One picture per group; lines under it have none. */
export const groupIcons: Record<MenuGroup, LucideIcon> = {
  home: House,
  sales: FileText,
  money: Wallet,
  people: Users,
  purchases: ReceiptText,
  stock: Package,
  books: BookOpen,
  tax: Landmark,
  reports: ChartColumn,
  calendar: Calendar,
  building: Building2,
  team: ShieldCheck,
  settings: Settings,
  help: CircleHelp,
}
