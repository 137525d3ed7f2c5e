import { defineResource } from '#kit/describe/resource.ts'
import {
  choice,
  day,
  flag,
  longText,
  money,
  number,
  percent,
  quantity,
  ref,
  text,
} from '#kit/fields/field.ts'

const allow = { see: 'committee.see', change: 'committee.change' }
const home = '/invoice/vaadpaymonth'

/** A house whose committee keeps its money here. */
export const buildings = defineResource({
  name: 'committeebuildings',
  table: 'committee_buildings',
  title: 'name',
  hint: 'address',
  fields: {
    name: text({ need: true, max: 120 }),
    address: text({ max: 200, start: '' }),
    treasurer: text({ max: 120, start: '' }),
    openedOn: day({ need: true }),
    openingAgorot: money({ need: true, start: 0 }),
    reserveAgorot: money({ need: true, start: 0 }),
    // The owner of the flat is also informed of the payer's debt after so many days; empty: never.
    ownerCopyDays: number(),
    flatCount: number({ computed: true }),
  },
  list: { columns: ['name', 'address', 'treasurer', 'flatCount'], filters: [], sort: ['name', 'asc'] },
  form: [
    { section: 'main', fields: ['name', 'address', 'treasurer'] },
    { section: 'money', fields: ['openedOn', 'openingAgorot', 'reserveAgorot', 'ownerCopyDays'] },
  ],
  searchIn: ['name', 'address'],
  allow,
  screens: { list: `${home}?part=buildings`, form: `${home}?part=buildings`, card: `${home}?house=$id` },
})

export const flats = defineResource({
  name: 'committeeflats',
  table: 'committee_flats',
  title: 'number',
  hint: 'entrance',
  fields: {
    buildingId: ref('committeebuildings', { need: true }),
    entrance: text({ max: 20, start: '' }),
    number: text({ need: true, max: 10 }),
    floor: number(),
    area: quantity(),
    // Of the common property; all flats of a house together are a hundred per cent.
    shareBp: number(),
    ownAgorot: money(),
    isExempt: flag({ start: false }),
    payer: text({ computed: true }),
  },
  list: {
    columns: ['buildingId', 'entrance', 'number', 'floor', 'area', 'shareBp', 'payer', 'isExempt'],
    filters: ['buildingId', 'isExempt'],
    sort: ['number', 'asc'],
  },
  form: [
    { section: 'main', fields: ['buildingId', 'entrance', 'number', 'floor'] },
    { section: 'share', fields: ['area', 'shareBp', 'ownAgorot', 'isExempt'] },
  ],
  searchIn: ['number', 'entrance'],
  allow,
  screens: { list: `${home}?part=flats`, form: `${home}?part=flats` },
})

/**
 * Who owns, rents and lives in a flat, from a day to a day; on each day one of them pays, or two together.
 */
export const people = defineResource({
  name: 'committeepeople',
  table: 'committee_people',
  title: 'notes',
  fields: {
    flatId: ref('committeeflats', { need: true }),
    customerId: ref('customers', { need: true }),
    role: choice(['owner', 'renter', 'family'], { need: true, start: 'owner' }),
    pays: flag({ start: true }),
    // The payer's part of what the flat pays, where two pay together; all of it without.
    splitBp: percent(),
    fromDay: day({ need: true }),
    toDay: day(),
    notes: longText({ max: 500, start: '' }),
    building: text({ computed: true }),
  },
  list: {
    columns: ['building', 'flatId', 'customerId', 'role', 'pays', 'splitBp', 'fromDay', 'toDay'],
    filters: ['flatId', 'customerId', 'role', 'pays'],
    sort: ['fromDay', 'desc'],
  },
  form: [
    {
      section: 'main',
      fields: ['flatId', 'customerId', 'role', 'pays', 'splitBp', 'fromDay', 'toDay', 'notes'],
    },
  ],
  searchIn: ['notes'],
  allow,
  screens: { list: `${home}?part=people`, form: `${home}?part=people` },
})
