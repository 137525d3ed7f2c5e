import { Power, RotateCcw, Store, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { againAll, changeShop, dropShop, listShops } from '../endpoints.ts'
import { Days } from './Days.tsx'
import { Notices } from './Notices.tsx'
import { Orders } from './Orders.tsx'
import { refresh, ShopState } from './says.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { Setup } from './Setup.tsx'
import './shops.css'

const tabs = ['orders', 'days', 'settings', 'setup', 'notices'] as const
type Tab = (typeof tabs)[number]

/** One shop: what came of its orders, shop and books beside each other, and how orders become documents. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params, query, setQuery } = usePlace()
  const id = params.shopid ?? ''
  const { data, error } = useCall(listShops, {}, { staleTime: 0 })
  const [dropping, setDropping] = useState(false)
  const shop = data?.rows.find((one) => one.id === id)
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  if (!shop)
    return (
      <EmptyState
        whole
        icon={Store}
        title={t('errors.kit.notFound')}
        actions={<Button href="/invoice/shops">{t('screens.shops')}</Button>}
      />
    )
  const mayConnect = may('shops.connect')
  const shown = tabs.filter((one) => mayConnect || one === 'orders' || one === 'days')
  const tab: Tab = shown.find((one) => one === query.tab) ?? 'orders'
  const deed = async (work: () => Promise<string>) => {
    try {
      const said = await work()
      await refresh()
      banner.success(said)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const turn = (on: boolean) =>
    deed(async () => {
      await call(changeShop, { id, on })
      return t(on ? 'shops.turnedOn' : 'shops.turnedOff')
    })
  return (
    <div className="sh-page">
      <PageHeader
        crumbs={[{ label: t('screens.shops'), href: '/invoice/shops' }]}
        title={shop.name}
        status={<ShopState of={shop} />}
        sub={shop.outsideId ? <bdi dir="ltr">{shop.outsideId}</bdi> : t(`shops.kinds.${shop.kind}`)}
        actions={
          <>
            {shop.counts.trouble > 0 && may('documents.issue') && (
              <Button
                icon={RotateCcw}
                onPress={() =>
                  void deed(async () =>
                    t('shops.againAllDone', { count: (await call(againAll, { id })).count }),
                  )
                }
              >
                {t('shops.againAll')}
              </Button>
            )}
            {mayConnect && shop.state === 'off' && (
              <Button kind="primary" icon={Power} onPress={() => void turn(true)}>
                {t('shops.turnOn')}
              </Button>
            )}
          </>
        }
        more={
          mayConnect
            ? [
                ...(shop.state === 'on'
                  ? [{ key: 'off', label: t('shops.turnOff'), icon: Power, onPress: () => void turn(false) }]
                  : []),
                {
                  key: 'drop',
                  label: t('shops.drop'),
                  icon: Trash2,
                  tone: 'danger' as const,
                  onPress: () => setDropping(true),
                },
              ]
            : []
        }
      />
      {shop.state === 'off' && <Note tone="info">{t('shops.isOff')}</Note>}
      {shop.state === 'gone' && <Note tone="wait">{t('shops.isGone')}</Note>}
      {shop.lastError && <Note tone="wait">{t('shops.lastError', { error: shop.lastError })}</Note>}
      <Views<Tab>
        label={shop.name}
        controls="shop-part"
        value={tab}
        onChange={(next) => setQuery({ tab: next === 'orders' ? undefined : next })}
        views={shown.map((key) => ({
          key,
          label: t(`shops.tabs.${key}`),
          ...(key === 'orders' && shop.counts.trouble
            ? { count: shop.counts.trouble, tone: 'wait' as const }
            : {}),
        }))}
      />
      <div id="shop-part" role="tabpanel" aria-label={t(`shops.tabs.${tab}`)} className="sh-page">
        {tab === 'orders' && <Orders shop={shop} />}
        {tab === 'days' && <Days id={id} />}
        {tab === 'settings' && <SettingsForm key={id} shop={shop} />}
        {tab === 'setup' && <Setup key={id} shop={shop} />}
        {tab === 'notices' && <Notices id={id} />}
      </div>
      <Question
        isOpen={dropping}
        onClose={() => setDropping(false)}
        title={t('shops.dropAsk', { name: shop.name })}
        verb={t('shops.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropShop, { id })
            await refresh()
            go('/invoice/shops')
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('shops.dropText')}
      </Question>
    </div>
  )
}
