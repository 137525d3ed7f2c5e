import { useEffect, type ComponentType } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { vatPeriodAmong } from '#domain/vat/frequency.ts'
import { useCall } from '#kit/web/call.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/place.ts'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { periodOfMonth, vatPeriodOfBusiness } from '../period.ts'

/** A report of VAT begins with the last period that is over: that is the one to be reported. */
export const reportOfPeriod = (name: string): ComponentType =>
  function PeriodReport() {
    const { query, setQuery } = usePlace()
    const asked = query.from !== undefined || query.to !== undefined
    const { data, error } = useCall(vatPeriodOfBusiness, {}, { enabled: !asked })
    useEffect(() => {
      if (!asked && data)
        setQuery({
          ...periodOfMonth(undefined, dayInJerusalem(new Date()), (day) => vatPeriodAmong(data.rows, day)),
        })
    }, [asked, data, setQuery])
    return asked || error ? <ReportScreen name={name} /> : <Skeleton lines={8} />
  }
