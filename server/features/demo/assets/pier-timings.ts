/** The file that Hana uploads: how long boats really take at pier 7. */
export const pierTimings = {
  name: 'pier-7-timings.csv',
  contentType: 'text/csv',
  content: `boat,planned_arrival,arrival,planned_departure,departure,cars,bicycles
Aurelia,07:10,07:12,07:20,07:24,31,6
Skerry,07:40,07:39,07:50,07:50,18,11
Aurelia,08:55,09:01,09:05,09:13,40,4
Meridian,09:30,09:30,09:45,09:44,22,9
Skerry,10:15,10:22,10:25,10:33,27,14
Aurelia,11:40,11:40,11:50,11:52,35,3
Meridian,13:05,13:11,13:20,13:27,29,8
Skerry,14:00,14:00,14:10,14:10,12,17
Aurelia,15:25,15:34,15:35,15:47,44,5
Meridian,16:45,16:46,17:00,17:03,38,10
`,
} as const
