import { Suspense, useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Offers } from '#kit/web/parts/Offers.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { partsOf } from '#kit/web/screens/places.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeTerminal, offeredAcquirers } from '../endpoints.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { Abilities, nameOf, pageOf, refresh, State } from './says.tsx'
import './acquirers.css'

type Offered = OutputOf<typeof offeredAcquirers>['rows'][number]

/** All acquirers that can be connected, what each can do and its state. Other features add theirs below. */
export function Screen() {
  const t = useWords()
  const mayChange = useCan()('acquirers.change')
  const { data, error, refetch } = useCall(offeredAcquirers, {}, { staleTime: 0 })
  const [open, setOpen] = useState<Offered>()
  const change = useSend(changeTerminal, {
    onSuccess: () => void refresh(),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  return (
    <div className="aq-page">
      <PageHeader
        title={t('screens.onlineMarket')}
        sub={t('acquirers.market.sub')}
        actions={<Button href="/invoice/settingspayments">{t('screens.settingsPayments')}</Button>}
      />
      <Card title={t('acquirers.market.acquirers')} hint={t('acquirers.market.fees')} flush>
        {error && !data ? (
          <Failed error={error} onRetry={refetch} />
        ) : !data ? (
          <Skeleton lines={9} />
        ) : (
          <Offers
            of={data.rows.map((one) => ({
              key: one.name,
              name: t(`cardCharges.acquirer.${one.name}`),
              text: <Abilities of={one.abilities} brief />,
              have: one.terminals.map(({ id, name, state }) => ({
                key: id,
                name: nameOf(t, { name, gateway: one.name }),
                href: pageOf(id),
                state: <State of={state} />,
                power: mayChange && {
                  label: t(state === 'off' ? 'acquirers.turnOn' : 'acquirers.turnOff'),
                  onPress: () => change.mutate({ id, isOff: state !== 'off' }),
                },
              })),
              connect: mayChange &&
                !(one.isTest && one.terminals.length > 0) && {
                  first: t('acquirers.connect'),
                  another: t('acquirers.connectAnother'),
                  onPress: () => setOpen(one),
                },
            }))}
          />
        )}
      </Card>
      {/* After what is above them and together, so that none is pushed down by another. */}
      {(data ?? error) && (
        <Suspense fallback={<Skeleton lines={3} />}>
          {partsOf('onlineMarket').map((Part, i) => (
            <Part key={i} of="" refresh={() => void refetch()} />
          ))}
        </Suspense>
      )}
      {open && <ConnectDialog of={open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
