"""Everything that keeps hostile or careless user code in its cage, so that it costs one case and not the run.

It guards against accidents: endless loops, exits, closed files, floods of output. It is no sandbox against malice.
`tests/unit/containment/test_threats.py` checks that every module here is in the table and that the tests exist.

| threat | trick | module | test |
| --- | --- | --- | --- |
| ends the process with an exit code of its choice | a parent process that believes only a signed-off code | guard_process | cli/test_guard_process.py::test_a_run_that_did_not_sign_off_is_broken_and_says_what_was_kept |
| calls os._exit | replaced during a run: it reports itself and exits with 3 | silent_exit | cli/test_rude_agents.py::test_an_agent_that_ends_the_process_is_not_a_pass |
| raises anything, sys.exit, KeyboardInterrupt and GeneratorExit too | one place catches it and makes it an error of the case | user_errors | cli/test_raised_anywhere.py::test_what_is_raised_in_a_case_is_its_error_and_the_other_cases_run |
| blocks in a plain function | it runs in a daemon thread, which is abandoned when the time is up | daemon_threads | unit/containment/test_daemon_threads.py::test_a_function_that_never_returns_cannot_keep_the_process_alive |
| takes other arguments than viva gives | only the arguments it takes are passed | user_functions | unit/containment/test_user_functions.py::test_a_function_gets_as_many_arguments_as_it_takes |
| blocks the event loop in async code | a thread watches the loop and interrupts the main thread by a signal | loop_watch | cli/test_blocking_agents.py::test_a_case_that_blocks_the_event_loop_times_out_and_the_others_run |
| makes a check endless by what it says (schemas, paths, patterns) | interrupted after a second, done again in a thread, given up at a limit | overlong_work | cli/test_bombs.py::test_a_bomb_costs_one_check_and_no_other_case |
| does not let itself be cancelled | a reply after the deadline is a timeout all the same | time_limit | unit/containment/test_time_limit.py::test_who_does_not_let_itself_be_cancelled_is_late_all_the_same |
| stops viva's event loop or leaves failing tasks behind | stop() is refused, their errors become warnings | shared_loop | cli/test_rude_agents.py::test_what_an_agent_does_to_the_loop_is_its_own_error |
| leaves threads, executors or processes that never end | ended some seconds after the command's own end, and named | last_moments | cli/test_rude_agents.py::test_what_an_agent_leaves_running_does_not_keep_a_finished_run |
| calls viva's blocking functions inside an event loop | it is noticed and refused with advice | running_loop | unit/api/test_running.py::test_run_inside_a_loop_tells_of_arun |
| prints into viva's own output | streams that write to the log of the case | captured_output | unit/containment/test_captured_output.py::test_cases_at_once_keep_their_prints_apart |
| prints escape sequences or CI commands | everything that reaches the screen goes through one stream, which shows them instead of sending them | safe_stream | unit/containment/test_safe_stream.py::test_no_unsafe_character_leaves |
| makes viva quote an address or a flag that holds a key | what stands behind `user:` or `?key=` is masked by the same stream | written_secrets | unit/containment/test_written_secrets.py::test_no_secret_of_an_address_leaves_through_the_stream |
| closes stdout, stderr or low descriptors | viva writes to duplicates with high numbers | own_streams | cli/test_rude_agents.py::test_an_agent_may_close_stdout_and_the_console_goes_on |
| uses descriptors 0 to 2 that were closed at the start | /dev/null is opened in their place first | standard_descriptors | cli/test_closed_pipe.py::test_a_run_works_without_standard_streams |
| is searched for long, and somebody presses Ctrl-C | the search is cancelled and what it found is still written | stoppable | cli/test_interrupted_searches.py::test_shrink_writes_the_smallest_case_so_far_and_it_fails |
| is interrupted (Ctrl-C) while viva is still being imported | a handler that only exits, with 130 | early_interrupt | cli/test_early_interrupt.py::test_ctrl_c_at_any_import_is_130_without_a_traceback |
| replaces or removes what Python itself needs (`builtins.len`, `sys.modules`) | put back where it hands back to viva, and by the thread beside it | taken_python | cli/test_rude_agents.py::test_an_agent_that_takes_from_python_itself_is_named_and_the_run_ends |
| forks and returns from the child into viva | the child ends where user code returns | forked_child | cli/test_rude_agents.py::test_a_forked_child_never_goes_on_as_a_second_viva |
| changes the working directory | paths are resolved from where viva was called | working_folder | cli/test_working_folder.py::test_an_agent_may_leave_the_working_folder |
| starts processes that outlive it, floods its output | a process group that is killed, a limit on what is read | processes | unit/containment/test_processes.py::test_cancelling_kills_the_whole_group |
| starts processes that leave its process group | found by a mark in their environment and by their parents | process_tree | unit/containment/test_process_tree.py::test_nothing_that_a_command_started_outlives_it |
| leaves processes that cannot be killed | they are named when the run ends | left_running | unit/containment/test_left_running.py::test_each_is_told_once_and_then_forgotten |
| is a script that hangs or crashes on import | scripts run in processes of their own | ../scripts/script_process | unit/scripts/test_script_runner.py::test_a_script_that_hangs_on_import_is_killed_as_well |
| sets the clock or replaces the functions of `time` | one clock, read once and continued by the monotonic one | ../metering/clock | unit/metering/test_clock.py::test_who_replaces_the_functions_of_time_does_not_stop_it |
"""  # noqa: E501 - rows of a table
