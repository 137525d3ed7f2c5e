import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Offers } from '#kit/web/parts/Offers.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeShop, listShops, type Shop } from '../endpoints.ts'
import { pageOf, refresh, ShopState } from './says.tsx'

/** Among all that can be connected: kinds of shops, those that are, and how each is doing. */
export function Part() {
  const t = useWords()
  const may = useCan()
  const sees = may('shops.see')
  const connects = may('shops.connect')
  const { data, error, refetch } = useCall(listShops, {}, { staleTime: 0, enabled: sees })
  const turn = async ({ id }: Shop, on: boolean) => {
    try {
      await call(changeShop, { id, on })
      await refresh()
      banner.success(t(on ? 'shops.turnedOn' : 'shops.turnedOff'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  if (!sees) return null
  return (
    <Card title={t('screens.shops')} flush>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={5} />
      ) : (
        <Offers
          of={data.offered.map((kind) => {
            const own = data.rows.filter((shop) => shop.kind === kind)
            return {
              key: kind,
              name: t(`shops.kinds.${kind}`),
              text: t(`shops.kindHints.${kind}`),
              have: own.map((shop) => ({
                key: shop.id,
                name: shop.name,
                href: pageOf(shop),
                state: <ShopState of={shop} />,
                power: connects &&
                  shop.state !== 'gone' && {
                    label: t(shop.state === 'on' ? 'shops.turnOff' : 'shops.turnOn'),
                    onPress: () => void turn(shop, shop.state !== 'on'),
                  },
              })),
              connect: connects && {
                first: t('shops.connectOne'),
                another: t('shops.connectAnother'),
                href: kind === 'shopify' || kind === 'wix' ? `/connect${kind}` : `/invoice/shops?add=${kind}`,
              },
            }
          })}
        />
      )}
    </Card>
  )
}
