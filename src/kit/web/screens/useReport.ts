import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { arranged, paramsOf, type ReportView } from '#kit/describe/reportView.ts'
import { useCall } from '../calls/call.ts'
import { runReport } from './reportCalls.ts'
import type { Query } from './filters.ts'

/** The rows drawn at once; the rest follows while it is read. */
const firstRows = '200'

/**
 * A report as the screen shows it: its first rows at once, and all of them (or as many as a page holds) right
 * behind, where there are more. `isPart` while only the first are here: their totals are those of all, what
 * is worked out of the rows themselves waits.
 */
export function useReport(name: string, asked: Query, view: ReportView, enabled: boolean) {
  // Of a report that does not fit a page the server sorts and searches, because here are not all of its rows.
  const [isLong, setLong] = useState(false)
  const params = paramsOf(view)
  const query = { name, ...asked, ...(isLong ? params : params.vs ? { vs: params.vs } : {}) }
  const begin = useCall(
    runReport,
    { ...query, first: firstRows },
    { enabled, placeholderData: keepPreviousData },
  )
  const isMore = begin.data?.cut !== undefined
  const whole = useCall(runReport, query, {
    enabled: enabled && isMore && !begin.isPlaceholderData,
    placeholderData: keepPreviousData,
  })
  // While another answer is on its way the last one stays, as long as it was.
  const hasWhole = isMore && whole.data !== undefined && (!whole.isPlaceholderData || begin.isPlaceholderData)
  const report = hasWhole || (isMore && whole.error) ? whole : begin
  if (whole.data?.cut !== undefined && !whole.isPlaceholderData && !isLong) setLong(true)
  const isPart = isMore && !hasWhole
  // Some rows sorted, gathered or searched are not the report sorted, gathered or searched.
  const waits = isPart && !isLong && (view.order ?? view.group ?? view.find) !== undefined
  const shown = useMemo((): ReportAnswer | undefined => {
    if (!report.data || waits) return undefined
    const { cut: _, ...first } = report.data
    return arranged(isPart ? first : report.data, isLong ? (view.cols ? { cols: view.cols } : {}) : view)
  }, [report.data, isPart, isLong, view, waits])
  return { report, shown, isPart }
}
