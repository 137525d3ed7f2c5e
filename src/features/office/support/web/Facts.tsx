import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { callBytes, keyOf } from '#kit/web/calls/call.ts'
import { Card } from '#kit/web/parts/Card.tsx'
import { allScreens } from '#kit/web/shell/menu.ts'
import { screenAt } from '#kit/web/routes/router.tsx'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import type { Ticket } from '../endpoints.ts'

/** Where it was asked from, and what it looked like there. */
export function Facts({
  of: ticket,
  endpoint,
  input,
}: {
  of: Ticket
  endpoint: Endpoint<any, any>
  input: Record<string, unknown>
}) {
  const t = useWords()
  const screen = ticket.page ? screenAt(allScreens(), ticket.page.split('?')[0]!) : undefined
  const name = screen && wordIfAny(t, `screens.${screen.name}`)
  return (
    <Card title={t('support.from')}>
      <dl className="su-facts">
        {ticket.page && (
          <div>
            <dt>{t('support.fields.page')}</dt>
            <dd>
              <Link href={ticket.page} className="aim">
                {name ?? <bdi dir="ltr">{ticket.page}</bdi>}
              </Link>
            </dd>
          </div>
        )}
        {ticket.article && (
          <div>
            <dt>{t('support.fields.article')}</dt>
            <dd>
              <Link href={`/invoice/questions?article=${ticket.article}`} className="aim">
                {t('support.openArticle')}
              </Link>
            </dd>
          </div>
        )}
        {ticket.version && (
          <div>
            <dt>{t('support.fields.version')}</dt>
            <dd>
              <bdi className="num">{ticket.version}</bdi>
            </dd>
          </div>
        )}
        {ticket.browser && (
          <div>
            <dt>{t('support.fields.browser')}</dt>
            <dd>
              <bdi dir="ltr">{ticket.browser}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {ticket.hasPicture && <Picture endpoint={endpoint} input={input} />}
    </Card>
  )
}

function Picture({ endpoint, input }: { endpoint: Endpoint<any, any>; input: Record<string, unknown> }) {
  const t = useWords()
  const { data } = useQuery({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => callBytes(endpoint, input, { signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  })
  const url = useObjectUrl(data?.blob)
  return url ? <img className="su-shot" src={url} alt={t('support.pictureAlt')} /> : null
}
