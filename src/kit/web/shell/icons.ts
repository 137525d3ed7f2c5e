import {
  BookOpen,
  Building2,
  Calendar,
  ChartColumn,
  CircleHelp,
  FileText,
  HandHeart,
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
import type { SideGroup } from './menu.ts'

/** One picture per part of the product. */
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

/** One picture per group of the panel; lines under it have none. */
export const sideIcons: Record<SideGroup, LucideIcon> = {
  today: House,
  office: Building2,
  work: House,
  donations: HandHeart,
  building: Building2,
  classes: Calendar,
  sales: FileText,
  stock: Package,
  money: Wallet,
  purchases: ReceiptText,
  taxes: Landmark,
  books: BookOpen,
  manage: Settings,
}
