import { Plug, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { useCall } from '#kit/web/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { partsOf } from '#kit/web/screens/places.ts'
import { useCan } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { offeredAcquirers } from '../endpoints.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { Abilities, nameOf, pageOf, State } from './says.tsx'
import './acquirers.css'

type Offered = OutputOf<typeof offeredAcquirers>['rows'][number]

/** All that can be connected, what each can do and how it stands. Other features put theirs below. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { data, error, refetch } = useCall(offeredAcquirers, {}, { staleTime: 0 })
  const [open, setOpen] = useState<Offered>()
  return (
    <div className="aq-page">
      <PageHeader
        title={t('screens.onlineMarket')}
        sub={t('acquirers.market.sub')}
        actions={<Button href="/invoice/settingspayments">{t('screens.settingsPayments')}</Button>}
      />
      <Card title={t('acquirers.market.acquirers')} flush>
        {error && !data ? (
          <Failed error={error} onRetry={refetch} />
        ) : !data ? (
          <Skeleton lines={9} />
        ) : (
          <ul className="aq-offers">
            {data.rows.map((one) => (
              <li key={one.name}>
                <div className="aq-what">
                  <strong>{t(`cardCharges.acquirer.${one.name}`)}</strong>
                  <span className="hint">
                    <Abilities of={one.abilities} brief />
                  </span>
                </div>
                <div className="aq-have">
                  {one.terminals.length === 0 ? (
                    <StatusPill tone="draft">{t('acquirers.market.notConnected')}</StatusPill>
                  ) : (
                    one.terminals.map((terminal) => (
                      <Link key={terminal.id} className="aim" href={pageOf(terminal.id)}>
                        <span>{nameOf(t, { name: terminal.name, gateway: one.name })}</span> <State of={terminal.state} />
                      </Link>
                    ))
                  )}
                </div>
                {may('acquirers.change') && !(one.isTest && one.terminals.length > 0) && (
                  <Button
                    kind={one.terminals.length === 0 ? 'soft' : 'quiet'}
                    size="s"
                    icon={one.terminals.length === 0 ? Plug : Plus}
                    onPress={() => setOpen(one)}
                  >
                    {t(one.terminals.length === 0 ? 'acquirers.connect' : 'acquirers.connectAnother')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {partsOf('onlineMarket').map((Part, i) => (
        <Suspense key={i} fallback={<Skeleton lines={3} />}>
          <Part of="" refresh={() => void refetch()} />
        </Suspense>
      ))}
      {open && <ConnectDialog of={open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
