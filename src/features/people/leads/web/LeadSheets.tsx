import { usePlace } from '#kit/web/routes/place.ts'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import { leads } from '../leads.ts'
import { LeadSheet } from './LeadSheet.tsx'
import { refreshLeads } from './shared.ts'

/** Beside leads in a list or on a board: the one the address names, or the form of a new one. */
export function LeadSheets() {
  const { query, setQuery } = usePlace()
  return (
    <>
      {query.lead && (
        <LeadSheet key={query.lead} id={query.lead} onClose={() => setQuery({ lead: undefined })} />
      )}
      {query.new === '1' && (
        <RecordSheet
          resource={leads}
          onClose={() => setQuery({ new: undefined })}
          onSaved={(row) => {
            setQuery({ new: undefined, lead: row.id })
            void refreshLeads()
          }}
        />
      )}
    </>
  )
}
