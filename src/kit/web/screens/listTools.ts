import type { LucideIcon } from 'lucide-react'
import type { AnyResource } from './resources.ts'

/** Something that every list of records offers beside "new": bringing them in from a file. */
export interface ListTool {
  key: string
  /** Word key of its button. */
  word: string
  icon: LucideIcon
  rule: string
  href: (resource: AnyResource) => string
}

const tools: ListTool[] = []

/**
 * Offers a tool on the list of every register the person may change; called in a feature's web/screens.ts.
 */
export const offerOnLists = (tool: ListTool): void => void tools.push(tool)

export const listTools = (): readonly ListTool[] => tools
