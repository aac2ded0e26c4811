# SPDX-License-Identifier: Apache-2.0
# The wake-ups that freertos.probes tells of: of all tasks that have slept up to one tick, and
# by what else a task can be woken, in a newer kernel and in one whose handles are void *.
cat > app.c << 'END'
#define APART __attribute__((noipa))
typedef unsigned long word;
typedef struct xLIST_ITEM { word xItemValue; struct xLIST_ITEM *pxNext, *pxPrevious; void *pvOwner; struct xLIST *pxContainer; } ListItem_t;
typedef struct xLIST { word uxNumberOfItems; ListItem_t *pxIndex, xListEnd; } List_t;
typedef struct tskTaskControlBlock {
	volatile word *pxTopOfStack; ListItem_t xStateListItem, xEventListItem; word uxPriority, *pxStack; char pcTaskName[16];
#ifdef OLD
	volatile unsigned char ucNotifyState;
#else
	volatile unsigned char ucNotifyState[2];
#endif
} TCB_t;
#ifdef OLD
typedef void *TaskHandle_t;
#define STATE(task) (task).ucNotifyState
#else
typedef struct tskTaskControlBlock *TaskHandle_t;
#define STATE(task) (task).ucNotifyState[1]
#endif
List_t pxReadyTasksLists[3], xSuspendedTaskList, delayed, *volatile pxDelayedTaskList = &delayed;
TCB_t *volatile pxCurrentTCB;
volatile word xTickCount, uxSchedulerSuspended;
static TCB_t tasks[12];
static word stack[8];
static void clear(List_t *l) { l->uxNumberOfItems = 0; l->xListEnd.pxNext = &l->xListEnd; l->xListEnd.xItemValue = ~0ul; }
static void append(List_t *l, ListItem_t *item)
{
	ListItem_t *last = &l->xListEnd;
	while (last->pxNext != &l->xListEnd) last = last->pxNext;
	item->pxNext = &l->xListEnd, last->pxNext = item, item->pxContainer = l;
	l->uxNumberOfItems++;
}
APART void vTaskSwitchContext(void) { asm volatile(""); }
APART void xPortStartScheduler(void) { asm volatile(""); }
APART int xTaskIncrementTick(void)
{
	if (uxSchedulerSuspended) return 0;
	xTickCount++;
	while (delayed.xListEnd.pxNext->xItemValue == xTickCount)
		delayed.xListEnd.pxNext = delayed.xListEnd.pxNext->pxNext, delayed.uxNumberOfItems--;
	return 1;
}
APART int xTaskRemoveFromEventList(const List_t *const list) { asm volatile("" ::"r"(list)); return 1; }
APART void vTaskRemoveFromUnorderedEventList(ListItem_t *item, const word value) { asm volatile("" ::"r"(item), "r"(value)); }
APART void vTaskResume(TaskHandle_t task) { asm volatile("" ::"r"(task)); }
APART int xTaskAbortDelay(TaskHandle_t task) { asm volatile("" ::"r"(task)); return 1; }
#ifdef OLD
APART int xTaskGenericNotify(TaskHandle_t task, unsigned value) { asm volatile("" ::"r"(task), "r"(value)); return 1; }
APART void vTaskNotifyGiveFromISR(TaskHandle_t task, long *woken) { asm volatile("" ::"r"(task), "r"(woken)); }
#else
APART int xTaskGenericNotify(TaskHandle_t task, word index, unsigned value) { asm volatile("" ::"r"(task), "r"(index), "r"(value)); return 1; }
APART void vTaskGenericNotifyGiveFromISR(TaskHandle_t task, word index, long *woken) { asm volatile("" ::"r"(task), "r"(index), "r"(woken)); }
#endif
void both(void) { asm volatile(""); }
void begin(void)
{
	both();
	clear(&delayed), clear(&xSuspendedTaskList), clear(&pxReadyTasksLists[1]);
	for (int i = 0; i < 12; i++) {
		tasks[i].pcTaskName[0] = (char)('a' + i), tasks[i].pxStack = stack, tasks[i].pxTopOfStack = stack;
		tasks[i].xStateListItem.pvOwner = tasks[i].xEventListItem.pvOwner = &tasks[i];
		tasks[i].xStateListItem.pxContainer = &pxReadyTasksLists[1], tasks[i].uxPriority = 1;
	}
	pxCurrentTCB = &tasks[0];
	xPortStartScheduler();
	/* b to d sleep up to tick 1, e up to tick 3; the delay of f, up to tick 4, is aborted. */
	for (int i = 1; i < 6; i++) {
		tasks[i].xStateListItem.xItemValue = i < 4 ? 1 : (word)i - 1;
		append(&delayed, &tasks[i].xStateListItem);
	}
	xTaskIncrementTick();
	xTaskIncrementTick();
	uxSchedulerSuspended = 1, xTaskIncrementTick(), uxSchedulerSuspended = 0;
	xTaskIncrementTick();
	xTaskAbortDelay(&tasks[5]);
	xTaskAbortDelay(&tasks[6]);
	List_t waiting;
	clear(&waiting);
	append(&waiting, &tasks[6].xEventListItem);
	xTaskRemoveFromEventList(&waiting);
	vTaskRemoveFromUnorderedEventList(&tasks[7].xEventListItem, 1);
	append(&xSuspendedTaskList, &tasks[8].xStateListItem);
	vTaskResume(&tasks[8]);
	vTaskResume(&tasks[9]);
	STATE(tasks[9]) = STATE(tasks[10]) = 1;
#ifdef OLD
	xTaskGenericNotify(&tasks[9], 5);
	xTaskGenericNotify(&tasks[11], 5);
	vTaskNotifyGiveFromISR(&tasks[10], 0);
#else
	xTaskGenericNotify(&tasks[9], 1, 5);
	xTaskGenericNotify(&tasks[11], 1, 5);
	vTaskGenericNotifyGiveFromISR(&tasks[10], 1, 0);
#endif
	*(volatile unsigned *)0x100000 = 0x5555;
}
END
. "$SRC/tests/cli/rtos-jump.inc"
for option in '' -DOLD; do
	echo "# $option"
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf $option jump.S app.c
	soc-model --trace run.tr app.elf
	tr-replay --probes "$SRC/filters/lib/probe/freertos.probes" run.tr app.elf | sed -n 's/.* wakeup .*comm="\(.*\)" began=.*/\1/p' | tr '\n' ' '
	echo
done
echo '# two definitions with the same note'
printf '%s\n' 'x: app:both { n = 1 }' '+x: app:both { n = 2 }' > two.probes
tr-replay --probes two.probes run.tr app.elf
