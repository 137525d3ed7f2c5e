import { FilePlus2 } from 'lucide-react'
import { documentTypeById, mayIssue } from '../../../../domain/documents/kinds.ts'
import { canDocument } from '../../../../kit/describe/session.ts'
import { useCall } from '../../../../kit/web/call.ts'
import { go, usePlace } from '../../../../kit/web/place.ts'
import { ListScreen } from '../../../../kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '../../../../kit/web/session.ts'
import { useWords } from '../../../../kit/web/words.tsx'
import { NotFound } from '../../../../kit/web/shell/Notices.tsx'
import { getCompany } from '../../../companies/endpoints.ts'
import { documents } from '../../documents.ts'
import { homeFigures } from '../../endpoints.ts'
import { startable, typeId } from '../../types/index.ts'
import '../documents.css'
import './dress.tsx'

/** All documents, or those of one type by its numeric id. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const may = useCan()
  const { params } = usePlace()
  const type = params.type === undefined ? undefined : Number(params.type)
  const known = type === undefined ? undefined : documentTypeById(type)
  const company = useCall(getCompany, {})
  // Counts of the tabs; the list re-renders when they come.
  useCall(homeFigures, {})
  const kinds = startable()
    .filter(
      (one) => may('documents.draft') && canDocument(session, typeId(one.name)) && company.data && mayIssue(company.data.kind, one.name),
    )
    .map((one) => typeId(one.name))
  const first = type !== undefined && kinds.includes(type) ? type : type === undefined ? kinds[0] : undefined
  const pathOf = (kind: number) => `/invoice/InvoiceDocument?type=${kind}`
  if (type !== undefined && !known) return <NotFound />
  const others = type === undefined ? kinds.slice(1) : []
  return (
    <ListScreen
      key={type ?? 'all'}
      resource={documents}
      {...(known ? { title: t(`documents.typesPlural.${known}`), fixed: { type: String(type) } } : {})}
      newHref={first === undefined ? false : pathOf(first)}
      archive={false}
      {...(others.length > 0
        ? {
            more: others.map((kind) => ({
              key: String(kind),
              label: t(`documents.newType.${documentTypeById(kind)}`),
              icon: FilePlus2,
              onPress: () => go(pathOf(kind)),
            })),
          }
        : {})}
    />
  )
}
