import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { call } from '#kit/web/calls/call.ts'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { callsOf, cardPath, resourceNamed, titleOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import type { StoredFile } from '../endpoints.ts'

/** What a file is attached to, each a link to its page. */
export function Links({ of: links }: { of: StoredFile['links'] }) {
  if (links.length === 0) return null
  return (
    <span className="fi-links">
      {links.slice(0, 3).map((link) => (
        <OneLink key={`${link.entity}/${link.entityId}`} {...link} />
      ))}
      {links.length > 3 && <span className="hint">+{links.length - 3}</span>}
    </span>
  )
}

function OneLink({ entity, entityId }: StoredFile['links'][number]) {
  const t = useWords()
  const resource = resourceNamed(entity)
  // What one may not see is neither asked for nor led to.
  const maySee = useCan()(resource?.allow.see ?? 'files.see')
  const href = !maySee
    ? undefined
    : entity === 'companyPapers'
      ? '/invoice/InvoiceEditCompany?tab=papers'
      : resource && cardPath(resource, entityId)
  const { data } = useQuery({
    queryKey: [resource ? callsOf(resource).get.name : entity, { id: entityId }],
    queryFn: ({ signal }) => call(callsOf(resource!).get, { id: entityId }, { signal, quiet: true }),
    enabled: resource !== undefined && maySee,
    staleTime: 60_000,
  })
  const kind = wordIfAny(t, `files.on.${entity}`)
  const name = (resource && data && titleOf(resource, data)) || (kind ?? t('files.on.other'))
  const inside = (
    <>
      <Icon of={Link2} size="s" />
      <bdi className="cut" title={name}>
        {name}
      </bdi>
    </>
  )
  return href ? (
    <Link className="fi-link" href={href}>
      {inside}
    </Link>
  ) : (
    <span className="fi-link">{inside}</span>
  )
}
