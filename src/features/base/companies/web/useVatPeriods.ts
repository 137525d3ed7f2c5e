import type { Day, Period } from '#domain/day.ts'
import { vatPeriodAmong } from '#domain/law/frequency.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { listVatFrequencies } from '../endpoints.ts'

/** The VAT period of a day, by the frequency that held on it; undefined until it is known. */
export function useVatPeriods(): ((day: Day) => Period) | undefined {
  const { data } = useCall(listVatFrequencies, {})
  return data && ((day) => vatPeriodAmong(data.rows, day))
}

/** Whether the business reports its VAT in detail; undefined until it is known. */
export const useIsDetailed = (): boolean | undefined => useCall(listVatFrequencies, {}).data?.isDetailed
