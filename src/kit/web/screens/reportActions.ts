import type { ComponentType } from 'react'
import type { LucideIcon } from 'lucide-react'
import type { Query } from './filters.ts'

export interface ReportActionProps {
  /** The report's name, what is asked of it as it is seen now, and what it is called. */
  report: string
  query: Query
  title: string
  onClose: () => void
}

/**
 * Actions on a report as it is shown; the kit knows no feature, so each that has such an action registers it here.
 */
export interface ReportAction {
  key: string
  /** Word of the entry. */
  word: string
  icon: LucideIcon
  rule: string
  load: () => Promise<ComponentType<ReportActionProps>>
}

const actions: ReportAction[] = []

/** Once, at the start. */
export const provideReportAction = (action: ReportAction): void => void actions.push(action)

export const reportActions = (): readonly ReportAction[] => actions
