import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoment } from '#domain/format.ts'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { Ticket } from '../endpoints.ts'

/** What was said, in its order. Text is text: what looks like HTML in it stays letters. */
export function Thread({
  of: messages,
  end,
}: {
  of: Ticket['messages']
  end?: (message: Ticket['messages'][number]) => ReactNode
}) {
  const t = useWords()
  return (
    <ol className="su-thread" aria-label={t('support.thread')}>
      {messages.map((message) =>
        message.author === 'system' ? (
          <li key={message.id} data-author="system">
            <p className="hint">
              {t('support.warned')} · <Num>{formatMoment(new Date(message.at))}</Num>
            </p>
          </li>
        ) : (
          <li key={message.id} data-author={message.author}>
            <header>
              <b>
                <bdi>{message.name || t(`support.author.${message.author}`)}</bdi>
              </b>
              {message.author === 'desk' && <span className="hint">{t('support.author.desk')}</span>}
              {message.byMail && (
                <span className="hint" title={t('support.byMail')}>
                  <Icon of={Mail} size="s" />
                  <span className="vh">{t('support.byMail')}</span>
                </span>
              )}
              {message.sendAt ? (
                <StatusPill tone={message.isStopped ? 'late' : 'wait'}>
                  {t(message.isStopped ? 'support.stopped' : 'support.planned', {
                    at: formatMoment(new Date(message.sendAt)),
                  })}
                </StatusPill>
              ) : (
                <span className="hint">
                  <Num>{formatMoment(new Date(message.at))}</Num>
                </span>
              )}
              {message.held && <StatusPill tone="wait">{t('support.held')}</StatusPill>}
            </header>
            <p dir="auto">{message.text}</p>
            {end?.(message)}
          </li>
        ),
      )}
    </ol>
  )
}
