/** Usual words of requests for services at work and at home, in the form of the thesaurus. */
export const usualRequests = `
log history : commit_history version_log
deeplink url link : link_to permalink share_a_link shortcut_to
contact_point notification alert receiver : who_gets_notified
stage add : stage staging_area
status diff unstaged : modified_files
metric query prometheus : cpu_usage memory_usage disk_usage request_rate error_rate throughput
panel dashboard update : panel widget tile
incident create : declare major_outage is_down goes_down went_down
incident activity note timeline : timeline
property field column schema data_source : column columns attribute
database data_source query rows : rows entries
dispute : chargeback chargebacks contested
filter rule create : automatically_label auto_label sort_incoming incoming_mail route_mail
modify label archive : archive_this mark_as_read mark_as_unread move_to_folder
payment link : checkout_link
payment intent charge : been_charged
invoice create : bill charge_for invoice_for
coupon discount : discount_code promo_code percent_off voucher
subscription cancel : end_subscription stop_subscription unsubscribe_customer
subscription list : subscribers recurring_customers
balance retrieve : funds_available account_balance
product delete : no_longer_available
customer order : bought_from past_purchases purchase_history
order get : order_number
directions route : way_to walk_to
distance duration : travel_time commute
elevation height : above_sea_level altitude
place details : opening_hours rating
places nearby search : cafes cafe restaurants restaurant pharmacy atm
freebusy availability : am_i_free is_free free_slot busy_on available_on
events list : my_day my_schedule agenda coming_up
event update reschedule : move_my move_the_meeting push_to
event respond invitation attendee : rsvp decline_the accept_the attend going_to
events bulk multiple : series_of
account manage : another_account second_account switch_account
screenshot : picture_of_the_page snapshot_of capture
resize viewport : pixels_wide mobile_size phone_size
emulate media color scheme : dark_mode light_mode print_mode
evaluate javascript : execute_js run_js
dialog handle : popup alert_box confirm_box
file upload : attach_file
navigate url : go_to visit browse_to
logs : output_of stack_trace error_output
rollout restart undo : restart_the roll_back redeploy previous_version
scale replicas : more_instances scale_up scale_down
describe events : stuck pending not_starting crashlooping
exec command : shell_into
node drain cordon : maintenance
helm upgrade release : chart_version
issue analyze root cause : root_cause why_did suggest_a_fix
issue search : most_frequent top_errors crashes
events search count : error_count
tag values distribution : which_browsers affected_browsers which_devices affected_users by_browser
release list : latest_release recently_deployed deployed_version
replay : session_replay recording_of_the_session
dsn : dsn client_key
docs search : sdk
team create : new_team
issue update resolve : mark_as_resolved resolve_it ignore_it
status checks : ci_pass build_pass passed green
files changed : which_files files_touched touched
review create : request_changes approve_it lgtm
review comments : reviewers_say inline_comments
branch update base : up_to_date behind_main sync_with
fork : my_own_copy
push files commit : in_one_commit several_files
users search : look_up_user account_of
thread replies : whole_conversation
history messages : discussed said_in talked_about happening_in
reaction : thumbs_up heart_it react
members users list : who_is_in who_is_on people_in everyone_in roster
profile user : title_and job_title
post message : announce tell_everyone let_everyone tell_the_team heads_up
task complete close : tick_off tick check_off done_with mark_done
task reopen : uncomplete
task filter overdue : overdue late_tasks behind_schedule due_today
tasks completed : did_i_finish got_done finished_last accomplished
tasks mine assigned : on_my_plate my_work assigned_to_me
collaborators project : shares_with_me shared_with who_shares
dependency blocked : blocked_by depends_on waiting_on blocks
subtask create : smaller_steps
project status update : on_track at_risk off_track
card create : new_card put_a_card
board activity recent : what_happened_on recent_changes
copy card duplicate : duplicate_the
record create row : new_row
record delete : remove_row
attachment upload field : add_a_picture
index create : speed_up faster_lookups
explain plan query : execution_plan query_plan slow_query why_slow
schema fields : which_columns structure_of
size storage : disk_space biggest largest
export results : as_json as_csv dump_to
update many : set_all
webhook create : incoming_webhook
forum post create : forum_thread
server info : member_count
file info metadata : last_changed modified_on
allowed directories : allowed_to
observation add memory : prefers likes
volume set : louder quieter turn_it_up turn_it_down
light control : dim brighten
climate temperature set : warmer colder degrees
lock : lock_the unlock_the
scene activate : movie_night good_night
playback : skip_this next_song
append end rows : bottom_of to_the_bottom at_the_bottom add_a_line add_a_row new_row
reorder position order : to_the_front to_the_top to_the_start to_the_back first_place
format number currency : euro_amounts as_percent decimal_places thousands
conditional formatting rule : color_all color_if highlight_if turns_red
validation data rule : allow_only only_allow dropdown_of must_be
protect lock range : no_one read_only not_be_changed
rename title : call_the call_it call_this
permission remove revoke : take_away no_longer_see no_longer_open
permission share : let_edit can_edit may_edit give_access
permission list : who_can_see who_has_access
calendar event : diary planner
issues assigned open mine : supposed_to my_open what_am_i
watcher notify subscribe : keep_posted keep_informed in_the_loop
link dependency issue : blocking blocks blocker depends
issues search : were_opened were_reported
style text format : bold italic underline
paragraph bullet list : bullet_list bullet_points
revision restore version : go_back_to earlier
speaker notes : speaker_notes presenter_notes
dimension column row hide show : hide_the unhide
resize column width : wider narrower
presentation slides : deck slideshow powerpoint keynote
spreadsheet sheet : excel sheet worksheet tab_of
`;
