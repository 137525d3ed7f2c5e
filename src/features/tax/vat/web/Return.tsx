import { useEffect, type ComponentType } from 'react'
import { dayInJerusalem, isDay } from '#domain/day.ts'
import { vatPeriodAmong } from '#domain/law/frequency.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { DueNote, LawNote } from '#features/base/law/web/index.tsx'
import { periodOfMonth, vatPeriodOfBusiness } from '../period.ts'

const returnLaw = ['vatRate'] as const

/** A report of VAT begins with the last period that is over: that is the one to be reported. */
export const reportOfPeriod = (name: string): ComponentType =>
  function PeriodReport() {
    const { query, setQuery } = usePlace()
    const asked = query.from !== undefined || query.to !== undefined
    const { data, error } = useCall(vatPeriodOfBusiness, {})
    useEffect(() => {
      if (!asked && data)
        setQuery({
          ...periodOfMonth(undefined, dayInJerusalem(new Date()), (day) => vatPeriodAmong(data.rows, day)),
        })
    }, [asked, data, setQuery])
    if (!asked && !error) return <Skeleton lines={8} />
    const to = query.to
    // Days of several periods, or of a part of one, are not reported as they stand.
    const isPeriod =
      data &&
      isDay(to ?? '') &&
      vatPeriodAmong(data.rows, to!).to === to &&
      vatPeriodAmong(data.rows, to).from === query.from
    return (
      <>
        {isPeriod && <DueNote duty={data.isDetailed ? 'detailedVat' : 'vat'} to={to} />}
        <LawNote keys={returnLaw} day={to && isDay(to) ? to : dayInJerusalem(new Date())} />
        <ReportScreen name={name} />
      </>
    )
  }
