import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { pestLicences, pestSites, pestTreatments } from '../pest.ts'
import './dress.tsx'

const parts = { sites: pestSites, treatments: pestTreatments, licences: pestLicences } as const

/** Customers of a pest controller: where they are treated, what was done, and who may do it. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const part =
    query.part === 'customers' || query.part === 'treatments' || query.part === 'licences'
      ? query.part
      : 'sites'
  return (
    <>
      <PageHeader title={t('screens.pestCustomers')}>
        <Views
          label={t('screens.pestCustomers')}
          value={part}
          onChange={(next) => setQuery({ part: next === 'sites' ? undefined : next })}
          views={(['sites', 'customers', 'treatments', 'licences'] as const).map((key) => ({
            key,
            label: t(`pest.part.${key}`),
          }))}
        />
      </PageHeader>
      {part === 'customers' ? (
        <ReportScreen name="pestCustomers" bare main />
      ) : (
        <ListScreen key={part} embedded resource={parts[part]} archive />
      )}
    </>
  )
}
