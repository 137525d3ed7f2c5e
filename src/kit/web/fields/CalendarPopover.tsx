import { CalendarDate, parseDate } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'
import type { Day } from '#domain/day.ts'
import { useToday } from '../hooks/clock.ts'
import { AriaLocale } from '../parts/AriaLocale.tsx'
import { Button as KitButton } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/words.tsx'

const dateOf = (day: Day | null | undefined): CalendarDate | undefined => (day ? parseDate(day) : undefined)

export interface CalendarPopoverProps {
  anchor: RefObject<Element | null>
  label: string
  value: Day | null
  min?: Day
  max?: Day
  onPick: (day: Day) => void
  onClose: () => void
}

/**
 * The month under a day field: the week begins on Sunday, arrow keys go where they point in both directions.
 * Loaded when first opened.
 */
export default function CalendarPopover({
  anchor,
  label,
  value,
  min,
  max,
  onPick,
  onClose,
}: CalendarPopoverProps) {
  const t = useWords()
  const today = useToday()
  return (
    <AriaLocale>
      <Popover
        className="k-pop"
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => !open && onClose()}
        placement="bottom start"
        offset={4}
        aria-label={label}
      >
        <Calendar
          className="k-cal"
          aria-label={label}
          firstDayOfWeek="sun"
          autoFocus
          value={dateOf(value) ?? null}
          defaultFocusedValue={dateOf(value ?? today)}
          minValue={dateOf(min)}
          maxValue={dateOf(max)}
          onChange={(date) => onPick(date.toString())}
        >
          <div className="head">
            <Button slot="previous" className="k-btn" data-kind="quiet" data-size="s" data-only="">
              <Icon of={ChevronLeft} m />
            </Button>
            <Heading level={2} />
            <Button slot="next" className="k-btn" data-kind="quiet" data-size="s" data-only="">
              <Icon of={ChevronRight} m />
            </Button>
          </div>
          <CalendarGrid weekdayStyle="narrow">
            <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
            <CalendarGridBody>{(date) => <CalendarCell date={date} className="k-day" />}</CalendarGridBody>
          </CalendarGrid>
          <div className="foot">
            <KitButton kind="quiet" size="s" slot={null as never} onPress={() => onPick(today)}>
              {t('kit.day.today')}
            </KitButton>
          </div>
        </Calendar>
      </Popover>
    </AriaLocale>
  )
}
