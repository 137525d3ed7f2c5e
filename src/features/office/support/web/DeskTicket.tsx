import { useState } from 'react'
import { Send, TriangleAlert, Undo2 } from 'lucide-react'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useTitle } from '#kit/web/routes/router.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  deskAnswer,
  deskChange,
  deskPicture,
  deskPlanned,
  deskTake,
  deskTicket,
  deskTickets,
  severities,
} from '../endpoints.ts'
import { Facts } from './Facts.tsx'
import { Reply } from './Reply.tsx'
import { TicketStatus } from './says.tsx'
import { Thread } from './Thread.tsx'
import { DeskFiles } from './TicketFiles.tsx'

/** A ticket as the person who answers sees it. */
export function DeskTicket({ number }: { number: number }) {
  const t = useWords()
  const { data, error } = useCall(deskTicket, { number }, { staleTime: 0, refetchInterval: 30_000 })
  const [solved, setSolved] = useState(false)
  const [text, setText] = useState('')
  useTitle(data?.subject)
  if (error && !data)
    return (
      <EmptyState
        whole
        icon={TriangleAlert}
        title={failureText(t, error)}
        actions={<Button href="/invoice/support?desk=all">{t('support.desk')}</Button>}
      />
    )
  if (!data) return <Skeleton lines={8} />
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(deskTicket, { number }) }),
      queryClient.invalidateQueries({ queryKey: keyOf(deskTickets) }),
    ])
  const attempt = (deed: Promise<unknown>) =>
    void deed.then(refresh).catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('support.desk'), href: '/invoice/support?desk=all' }]}
        number={data.number}
        title={data.subject}
        status={<TicketStatus of={data} desk />}
        sub={
          <>
            <bdi>{data.asker}</bdi> · <bdi>{data.business}</bdi> · <bdi dir="ltr">{data.email}</bdi>
          </>
        }
        actions={
          data.state !== 'closed' && (
            <Button onPress={() => attempt(call(deskChange, { number, state: 'closed' }))}>
              {t('support.close')}
            </Button>
          )
        }
      />
      <div className="su-desk">
        <div className="su-stack">
          <Thread
            of={data.messages}
            end={(message) =>
              message.held ? (
                <Button size="s" onPress={() => attempt(call(deskTake, { number, messageId: message.id }))}>
                  {t('support.take')}
                </Button>
              ) : (
                message.sendAt && (
                  <div className="su-acts">
                    <Button
                      size="s"
                      icon={Send}
                      m
                      onPress={() =>
                        attempt(call(deskPlanned, { number, messageId: message.id, deed: 'send' }))
                      }
                    >
                      {t('support.sendNow')}
                    </Button>
                    {/* Its words come back to be changed; what is being written stays. */}
                    <Button
                      size="s"
                      icon={Undo2}
                      onPress={() =>
                        attempt(
                          call(deskPlanned, { number, messageId: message.id, deed: 'drop' }).then(
                            ({ text: words }) => setText((now) => now || words),
                          ),
                        )
                      }
                    >
                      {t('support.takeBack')}
                    </Button>
                  </div>
                )
              )
            }
          />
          <Reply
            label={t('support.answerTo', { name: data.asker })}
            text={text}
            onText={setText}
            onSend={(said) => call(deskAnswer, { number, text: said, solved }).then(refresh)}
            onLater={(said, at) => call(deskAnswer, { number, text: said, solved, at }).then(refresh)}
            more={<FlagField label={t('support.asSolved')} value={solved} onChange={setSolved} />}
          />
        </div>
        <div className="su-stack">
          <Card title={t('support.fields.severity')}>
            <ChoiceField
              label={t('support.fields.severity')}
              hideLabel
              value={data.severity}
              onChange={(severity) => severity && attempt(call(deskChange, { number, severity }))}
              choices={severities.map((value) => ({ value, label: t(`support.severity.${value}`) }))}
            />
          </Card>
          <DeskFiles of={data} />
          <Facts of={data} endpoint={deskPicture} input={{ number }} />
        </div>
      </div>
    </>
  )
}
