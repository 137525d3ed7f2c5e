import { Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { languageNames } from '#kit/web/words/language.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { keepBookingWords, listBookingWords, type BookingLetter } from '../endpoints.ts'
import '#features/calendar/timetable/web/timetable.css'

type Language = keyof typeof languageNames

/**
 * What customers are written of their bookings: the ready words, or the business's own, language by language.
 */
export function Letters() {
  const t = useWords()
  const may = useCan()('calendar.setUp')
  const [language, setLanguage] = useState<Language>(useLanguage().lang)
  const { data, error, refetch } = useCall(listBookingWords, { language })
  const keep = (answer: { rows: BookingLetter[] }) => putAnswer(listBookingWords, { language }, answer)
  return (
    <Card title={t('bookings.letters.title')} hint={t('bookings.letters.hint')}>
      <div className="tt-stack">
        <ChoiceField
          label={t('bookings.letters.language')}
          value={language}
          onChange={(value) => value && setLanguage(value)}
          choices={(Object.keys(languageNames) as Language[]).map((value) => ({
            value,
            label: languageNames[value],
          }))}
        />
        {error && !data ? (
          <Failed error={error} onRetry={refetch} />
        ) : !data ? (
          <Skeleton lines={5} />
        ) : (
          <ul className="tt-outside">
            {data.rows.map((one) => {
              const name = t(`bookings.letters.${one.letter}`)
              return (
                <li key={one.letter}>
                  <div>
                    <b>{name}</b>{' '}
                    {one.isOwn && <StatusPill tone="info">{t('bookings.letters.own')}</StatusPill>}
                    <div className="tt-told" dir="auto">
                      {one.text}
                    </div>
                  </div>
                  {may && (
                    <Button
                      size="s"
                      kind="quiet"
                      icon={Pencil}
                      label={`${t('kit.lists.edit')} ${name}`}
                      onPress={() =>
                        show((close) => (
                          <LetterDialog start={one} language={language} onKeep={keep} onClose={close} />
                        ))
                      }
                    />
                  )}
                  {may && one.isOwn && (
                    <Button
                      size="s"
                      kind="quiet"
                      icon={RotateCcw}
                      label={`${t('bookings.letters.back')} ${name}`}
                      onPress={() =>
                        void call(keepBookingWords, { letter: one.letter, language, words: null })
                          .then(keep)
                          .catch((e: unknown) => banner.error(failureText(t, e)))
                      }
                    />
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </Card>
  )
}

function LetterDialog({
  start,
  language,
  onKeep,
  onClose,
}: {
  start: BookingLetter
  language: Language
  onKeep: (answer: { rows: BookingLetter[] }) => void
  onClose: () => void
}) {
  const t = useWords()
  const [subject, setSubject] = useState(start.subject)
  const [text, setText] = useState(start.text)
  return (
    <FormDialog
      title={t(`bookings.letters.${start.letter}`)}
      verb={t('kit.forms.save')}
      names={['words.subject', 'words.text']}
      onClose={onClose}
      onSubmit={async () => {
        onKeep(await call(keepBookingWords, { letter: start.letter, language, words: { subject, text } }))
        onClose()
      }}
    >
      {(error) => (
        <>
          <p className="hint">
            {t('bookings.letters.gaps')}{' '}
            <bdi dir="ltr" className="num">
              {start.gaps.map((name) => `{${name}}`).join(' ')}
            </bdi>
          </p>
          <TextField
            label={t('bookings.letters.subject')}
            value={subject}
            onChange={setSubject}
            max={200}
            {...error('words.subject', subject)}
          />
          <LongText
            label={t('bookings.letters.text')}
            hint={t('bookings.letters.textHint')}
            value={text}
            onChange={setText}
            max={2000}
            rows={5}
            {...error('words.text', text)}
          />
        </>
      )}
    </FormDialog>
  )
}
