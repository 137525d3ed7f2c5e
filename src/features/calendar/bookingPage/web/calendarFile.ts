/** A booking as a calendar takes it. */
export interface CalendarEvent {
  id: string
  name: string
  startsAt: string
  endsAt: string
  place: string | null
}

/** `2026-12-01T09:00:00Z` as RFC 5545 writes a moment. */
const stamp = (moment: string): string =>
  new Date(moment)
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z')

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** A calendar file (RFC 5545) of one booking. */
export const calendarFileOf = (
  { id, name, startsAt, endsAt, place }: CalendarEvent,
  business: string,
): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pinkas//Booking//EN',
    'BEGIN:VEVENT',
    `UID:${id}@pinkas`,
    `DTSTAMP:${stamp(startsAt)}`,
    `DTSTART:${stamp(startsAt)}`,
    `DTEND:${stamp(endsAt)}`,
    `SUMMARY:${escaped(`${name}, ${business}`)}`,
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** Saves it to the device, whose calendar opens it. */
export function saveCalendarFile(event: CalendarEvent, business: string): void {
  const url = URL.createObjectURL(new Blob([calendarFileOf(event, business)], { type: 'text/calendar' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'booking.ics'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
