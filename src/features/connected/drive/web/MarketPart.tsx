import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Offers } from '#kit/web/parts/Offers.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeTarget, driveKinds, listTargets, type Target } from '../endpoints.ts'
import { isStopped, refresh, TargetState } from './says.tsx'

/** Among all that can be connected: kinds of places that copies are laid in, and how each is doing. */
export function Part() {
  const t = useWords()
  const may = useCan()('drive')
  const { data, error, refetch } = useCall(listTargets, {}, { staleTime: 0, enabled: may })
  const turn = async ({ id }: Target, on: boolean) => {
    try {
      await call(changeTarget, { id, on })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  if (!may) return null
  return (
    <Card title={t('screens.drive')} flush>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : (
        <Offers
          of={driveKinds
            .filter((kind) => kind !== 'google' || data.offersGoogle)
            .map((kind) => {
              const own = data.rows.filter((target) => target.kind === kind)
              return {
                key: kind,
                name: t(`drive.kinds.${kind}`),
                text: t(`drive.kindHints.${kind}`),
                have: own.map((target) => ({
                  key: target.id,
                  name: target.name,
                  href: '/invoice/drive',
                  state: <TargetState of={target} />,
                  power: {
                    label: t(isStopped(target) ? 'drive.turnOn' : 'drive.turnOff'),
                    onPress: () => void turn(target, isStopped(target)),
                  },
                })),
                connect: {
                  first: t('drive.connectOne'),
                  another: t('drive.connectAnother'),
                  href: kind === 'google' ? '/connectgoogledrive' : `/invoice/drive?add=${kind}`,
                },
              }
            })}
        />
      )}
    </Card>
  )
}
