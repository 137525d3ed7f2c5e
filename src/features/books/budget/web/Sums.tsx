import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropSum, listSums, type TypedSum } from '../endpoints.ts'
import { refreshForecast } from './refresh.ts'

/** What the books cannot know: amounts that were typed in. */
export function Sums({ may, onEdit }: { may: boolean; onEdit: (sum: TypedSum | 'new') => void }) {
  const t = useWords()
  const { data } = useCall(listSums, {})
  const [dropping, setDropping] = useState<TypedSum>()
  if (!data) return null
  const drop = async () => {
    try {
      await call(dropSum, { id: dropping!.id })
      await refreshForecast()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card
      title={t('forecast.sums.title')}
      hint={t('forecast.sums.hint')}
      end={
        may && (
          <Button size="s" onPress={() => onEdit('new')}>
            {t('forecast.sums.add')}
          </Button>
        )
      }
    >
      {data.rows.length === 0 ? (
        <p className="hint bu-none">{t('forecast.sums.none')}</p>
      ) : (
        <Rows>
          {data.rows.map((sum) => (
            <div key={sum.id} className="bu-line" data-off={sum.nextDay === null ? '' : undefined}>
              <span className="what">
                <bdi>{sum.name}</bdi>
                <span className="hint text-13">
                  {t(`forecast.cycles.${sum.cycle}`)}
                  {' · '}
                  {sum.nextDay === null ? t('forecast.sums.over') : t('forecast.next')}{' '}
                  <Num>{formatDay(sum.nextDay ?? sum.lastDay ?? sum.firstDay)}</Num>
                  {sum.lastDay && sum.nextDay && (
                    <>
                      {' · '}
                      {t('forecast.sums.until')} <Num>{formatDay(sum.lastDay)}</Num>
                    </>
                  )}
                </span>
              </span>
              <Money amount={sum.agorot} whole />
              {may && (
                <span className="acts">
                  <Button
                    kind="quiet"
                    size="s"
                    icon={Pencil}
                    label={t('forecast.sums.change', { name: sum.name })}
                    onPress={() => onEdit(sum)}
                  />
                  <Button
                    kind="quiet"
                    size="s"
                    icon={Trash2}
                    label={t('forecast.sums.drop', { name: sum.name })}
                    onPress={() => setDropping(sum)}
                  />
                </span>
              )}
            </div>
          ))}
        </Rows>
      )}
      <Question
        isOpen={dropping !== undefined}
        onClose={() => setDropping(undefined)}
        title={t('forecast.sums.dropTitle', { name: dropping?.name ?? '' })}
        verb={t('kit.actions.remove')}
        danger
        onConfirm={drop}
      >
        {t('forecast.sums.dropText')}
      </Question>
    </Card>
  )
}
