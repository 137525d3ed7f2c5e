import { FilePlus2 } from 'lucide-react'
import { useMemo } from 'react'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { canDocument } from '#kit/describe/session.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { NotFound } from '#kit/web/shell/Notices.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { documents } from '../../documents.ts'
import { homeFigures } from '../../endpoints.ts'
import { begins, editorPath, typeId } from '../../types/index.ts'
import '../documents.css'
import './dress.tsx'
import { JoinDialog } from './JoinDialog.tsx'
import { kindOf } from './kinds.ts'

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
  const businessKind = company.data?.kind
  const kind = useMemo(
    () => (type === undefined ? undefined : kindOf(t, type, businessKind)),
    [t, type, businessKind],
  )
  const idsOf = (side: 'sales' | 'purchases') =>
    company.data && may('documents.draft')
      ? begins(company.data.kind, side)
          .map((one) => typeId(one.name))
          .filter((id) => canDocument(session, id))
      : []
  const kinds = [...idsOf('sales'), ...idsOf('purchases')]
  const first = type !== undefined && kinds.includes(type) ? type : type === undefined ? kinds[0] : undefined
  if (type !== undefined && !known) return <NotFound />
  const begun = (id: number) => ({
    key: String(id),
    label: t(`documents.newType.${documentTypeById(id)}`),
    icon: FilePlus2,
    onPress: () => go(editorPath(id)),
  })
  const others = type === undefined ? kinds.slice(1) : []
  return (
    <>
      <ListScreen
        key={type ?? 'all'}
        resource={documents}
        {...(known ? { title: t(`documents.typesPlural.${known}`), fixed: { type: String(type) } } : {})}
        {...(kind ? { kind } : {})}
        newHref={first === undefined ? false : editorPath(first)}
        archive={false}
        {...(others.length > 0
          ? {
              more: [
                {
                  group: t('documents.list.sales'),
                  items: others.filter((id) => idsOf('sales').includes(id)).map(begun),
                },
                ...(idsOf('purchases').length > 0
                  ? [{ group: t('documents.list.purchases'), items: idsOf('purchases').map(begun) }]
                  : []),
              ],
            }
          : {})}
      />
      <JoinDialog />
    </>
  )
}
